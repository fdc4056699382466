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

import jakarta.servlet.DispatcherType;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.filter.ShallowEtagHeaderFilter;

/**
 * Lets browsers cache the page and revalidate it by a hash of its content, because all
 * files in a reproducible jar have the same date.
 */
@Configuration(proxyBeanMethods = false)
class PageCacheConfiguration {

	@Bean
	FilterRegistrationBean<ShallowEtagHeaderFilter> pageEtagFilter() {
		ShallowEtagHeaderFilter filter = new ShallowEtagHeaderFilter();
		// Tomcat does not compress responses with a strong ETag.
		filter.setWriteWeakETag(true);
		FilterRegistrationBean<ShallowEtagHeaderFilter> registration = new FilterRegistrationBean<>(filter);
		registration.addUrlPatterns("*.html", "*.css", "*.js", "*.svg");
		// "/" is forwarded to the page.
		registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.FORWARD);
		return registration;
	}

}
