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

package dev.uncontended.tls.session.internal;

import org.jspecify.annotations.Nullable;

/**
 * Runs several actions even if some fail, and then throws the first failure.
 */
public final class Failures {

	private @Nullable Throwable first;

	/**
	 * Runs an action, and keeps the exception or error that it throws, if any.
	 */
	public void collect(Runnable action) {
		try {
			action.run();
		}
		catch (RuntimeException | Error ex) {
			if (this.first == null) {
				this.first = ex;
			}
			else if (this.first != ex) {
				this.first.addSuppressed(ex);
			}
		}
	}

	/**
	 * Throws the first failure, with the later failures as suppressed exceptions. Does
	 * nothing if no action has failed.
	 */
	public void rethrow() {
		if (this.first instanceof Error error) {
			throw error;
		}
		if (this.first != null) {
			throw (RuntimeException) this.first;
		}
	}

}
