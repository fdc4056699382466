/*
 * Copyright 2026 the Uncontended authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package dev.uncontended.sample;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/**
 * A request parameter with an invalid value. Rendered as a problem detail with status 400
 * that states the valid values.
 */
class InvalidParameterException extends ErrorResponseException {

	private static final long serialVersionUID = 1L;

	InvalidParameterException(String name, @Nullable String value, String allowed) {
		super(HttpStatus.BAD_REQUEST,
				ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, "Parameter '%s' must be %s, but was %s"
					.formatted(name, allowed, (value != null) ? "'" + value + "'" : "missing")),
				null);
	}

}
