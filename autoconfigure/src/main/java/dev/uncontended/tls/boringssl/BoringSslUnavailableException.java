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

package dev.uncontended.tls.boringssl;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if BoringSSL is not available. The message contains the reason.
 */
public final class BoringSslUnavailableException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String action;

	BoringSslUnavailableException(String message, String action, @Nullable Throwable cause) {
		super(message, cause);
		this.action = action;
	}

	/**
	 * Returns what the user can do, in one or two sentences.
	 */
	public String getAction() {
		return this.action;
	}

}
