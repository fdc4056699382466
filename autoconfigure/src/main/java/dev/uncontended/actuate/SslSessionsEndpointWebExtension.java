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
package dev.uncontended.actuate;

import java.security.Principal;

import dev.uncontended.actuate.SslSessionsEndpoint.EndDescriptor;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * An {@link EndpointWebExtension @EndpointWebExtension} of the
 * {@link SslSessionsEndpoint}. Its {@code DELETE} operation logs the user's name if the
 * user is authenticated.
 */
@EndpointWebExtension(endpoint = SslSessionsEndpoint.class)
public class SslSessionsEndpointWebExtension {

	private final SslSessionsEndpoint endpoint;

	public SslSessionsEndpointWebExtension(SslSessionsEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	@DeleteOperation
	public EndDescriptor endAll(SecurityContext client) {
		Principal principal = client.getPrincipal();
		return this.endpoint
			.endAll((principal != null) ? "'" + principal.getName() + "'" : "an unauthenticated client");
	}

}
