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

package dev.uncontended.autoconfigure.ssl;

import java.io.IOException;
import java.io.OutputStream;
import java.security.cert.X509Certificate;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application that returns {@code ok}, or its view of TLS or of its thread.
 */
@Configuration(proxyBeanMethods = false)
class OkServletConfiguration {

	@Bean
	ServletRegistrationBean<HttpServlet> servlet() {
		return new ServletRegistrationBean<>(new HttpServlet() {

			@Override
			protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
				String body = switch (request.getRequestURI()) {
					case "/attributes" -> describeTls(request);
					case "/session" -> (String) request.getAttribute("jakarta.servlet.request.ssl_session_id");
					case "/thread" -> Thread.currentThread().toString();
					default -> "ok";
				};
				response.setContentLength(body.length());
				response.getWriter().write(body);
			}

			@Override
			protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
				request.getInputStream().transferTo(OutputStream.nullOutputStream());
				doGet(request, response);
			}

		}, "/");
	}

	private static String describeTls(HttpServletRequest request) {
		X509Certificate[] certificates = (X509Certificate[]) request
			.getAttribute("jakarta.servlet.request.X509Certificate");
		return "%s %s %d %s".formatted(request.getAttribute("jakarta.servlet.request.cipher_suite"),
				request.getAttribute("jakarta.servlet.request.key_size"),
				String.valueOf(request.getAttribute("jakarta.servlet.request.ssl_session_id")).length(),
				(certificates != null) ? certificates[0].getSubjectX500Principal() : null);
	}

}
