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

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application that answers each request with {@code ok}.
 */
@Configuration(proxyBeanMethods = false)
class OkServletConfiguration {

	@Bean
	ServletRegistrationBean<HttpServlet> servlet() {
		return new ServletRegistrationBean<>(new HttpServlet() {

			@Override
			protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
				response.setContentLength(2);
				response.getWriter().write("ok");
			}

		}, "/");
	}

}
