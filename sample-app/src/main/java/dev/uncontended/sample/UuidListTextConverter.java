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

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.stereotype.Component;

/**
 * Writes a {@link UuidList} as text, one UUID per line.
 */
@Component
class UuidListTextConverter extends AbstractHttpMessageConverter<UuidList> {

	UuidListTextConverter() {
		super(StandardCharsets.US_ASCII, MediaType.TEXT_PLAIN);
	}

	@Override
	protected boolean supports(Class<?> type) {
		return type == UuidList.class;
	}

	@Override
	protected boolean canRead(@Nullable MediaType mediaType) {
		return false;
	}

	@Override
	protected UuidList readInternal(Class<? extends UuidList> type, HttpInputMessage input) {
		throw new HttpMessageNotReadableException("Lists of UUIDs cannot be read", input);
	}

	@Override
	protected void writeInternal(UuidList list, HttpOutputMessage output) throws IOException {
		Writer writer = new BufferedWriter(new OutputStreamWriter(output.getBody(), StandardCharsets.US_ASCII));
		for (Iterator<UUID> uuids = list.draw(); uuids.hasNext();) {
			writer.write(uuids.next().toString());
			writer.write('\n');
		}
		writer.flush();
	}

}
