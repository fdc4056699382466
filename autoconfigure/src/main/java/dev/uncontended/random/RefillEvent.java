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

package dev.uncontended.random;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * JFR event: a buffer was filled slowly, or not at all. Carries nothing that the
 * generator made.
 */
@Name("dev.uncontended.Refill")
@Label("Slow or Failed Refill")
@Description("A buffer of random bytes that took long to fill, or could not be filled")
@Category("Uncontended")
final class RefillEvent extends Event {

	@Label("Time")
	@Timespan
	long time;

	@Label("Failure")
	@Description("The class of the exception, if the refill failed")
	@Nullable String failure;

}
