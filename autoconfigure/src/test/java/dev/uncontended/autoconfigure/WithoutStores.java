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

package dev.uncontended.autoconfigure;

/**
 * Excludes the auto-configuration of databases, sessions and messages. It takes most of
 * the time that an application with all libraries of the tests needs to start.
 */
public final class WithoutStores {

	/**
	 * The property that excludes it.
	 */
	public static final String PROPERTY = "spring.autoconfigure.exclude="
			+ "org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration,"
			+ "org.springframework.boot.data.mongodb.autoconfigure.DataMongoReactiveAutoConfiguration,"
			+ "org.springframework.boot.data.mongodb.autoconfigure.DataMongoReactiveRepositoriesAutoConfiguration,"
			+ "org.springframework.boot.data.mongodb.autoconfigure.DataMongoRepositoriesAutoConfiguration,"
			+ "org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration,"
			+ "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration,"
			+ "org.springframework.boot.data.redis.autoconfigure.DataRedisReactiveAutoConfiguration,"
			+ "org.springframework.boot.data.redis.autoconfigure.DataRedisRepositoriesAutoConfiguration,"
			+ "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
			+ "org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration,"
			+ "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
			+ "org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration,"
			+ "org.springframework.boot.mongodb.autoconfigure.MongoReactiveAutoConfiguration,"
			+ "org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration,"
			+ "org.springframework.boot.session.autoconfigure.SessionAutoConfiguration,"
			+ "org.springframework.boot.session.jdbc.autoconfigure.JdbcSessionAutoConfiguration";

	private WithoutStores() {
	}

}
