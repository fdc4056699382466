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

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.util.List;

import javax.net.ssl.TrustManagerFactory;

import dev.uncontended.actuate.SslSessionsEndpoint;
import dev.uncontended.tls.session.Reach;
import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an application with a gRPC server and Tomcat.
 */
@ExtendWith(OutputCaptureExtension.class)
class GrpcServersTests extends AbstractTlsServerTests {

	private static final String WARNING = "is not managed by this starter: it uses gRPC's engine";

	GrpcServersTests() {
		super(TestServer.TOMCAT, "jdk");
	}

	@Override
	List<Class<?>> sources() {
		return List.of(GrpcApplication.class);
	}

	@Test
	void grpcServerWithTlsIsNotReached(CapturedOutput output) throws Exception {
		startWithGrpc("--spring.grpc.server.ssl.bundle=web");
		String grpc = "gRPC on port " + grpcPort();
		assertThat(output).containsOnlyOnce("TLS of " + grpc + " " + WARNING);
		assertThat(callOverTls()).isEqualTo("ok");
		assertServes();
		assertThat(endpoint().sslSessions().servers().unreached()).containsExactly(grpc);
		assertThat(endpoint().endAll().reach()).isEqualTo(Reach.SOME_SERVERS);
		assertThat(endpoint().endAll().servers().reached()).hasSize(1).first().asString().startsWith("tomcat");
		assertThat(callOverTls()).isEqualTo("ok");
	}

	@Test
	void stoppedGrpcServerIsNotListed() {
		startWithGrpc("--spring.grpc.server.ssl.bundle=web");
		context().getBean(GrpcServerLifecycle.class).stop();
		assertThat(endpoint().sslSessions().servers().unreached()).isEmpty();
	}

	@Test
	void grpcServerWithoutTlsHasNoSessions(CapturedOutput output) {
		startWithGrpc("--spring.grpc.server.ssl.bundle=web", "--spring.grpc.server.ssl.enabled=false");
		assertThat(endpoint().endAll().reach()).isEqualTo(Reach.THIS_NODE);
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void grpcServerDoesNotUseEngine() {
		run("--spring.grpc.server.port=0", "--server.ssl.enabled=false",
				"--management.endpoints.web.exposure.include=sslsessions");
		assertThat(endpoint().endAll().reach()).isEqualTo(Reach.NO_SERVER);
	}

	private void startWithGrpc(String... arguments) {
		String[] all = new String[arguments.length + 2];
		all[0] = "--spring.grpc.server.port=0";
		all[1] = "--management.endpoints.web.exposure.include=sslsessions";
		System.arraycopy(arguments, 0, all, 2, arguments.length);
		start(all);
	}

	private SslSessionsEndpoint endpoint() {
		return context().getBean(SslSessionsEndpoint.class);
	}

	private int grpcPort() {
		return context().getBean(GrpcServerLifecycle.class).getPort();
	}

	private String callOverTls() throws Exception {
		KeyStore trusted = KeyStore.getInstance("PKCS12");
		trusted.load(null, null);
		trusted.setCertificateEntry("test", first.certificate());
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init(trusted);
		ManagedChannel channel = Grpc
			.newChannelBuilderForAddress("localhost", grpcPort(),
					TlsChannelCredentials.newBuilder().trustManager(trust.getTrustManagers()).build())
			.build();
		try {
			return ClientCalls.blockingUnaryCall(channel, OkService.METHOD, CallOptions.DEFAULT, "");
		}
		finally {
			channel.shutdownNow();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ GrpcServerAutoConfiguration.class, SslSessionsEndpointAutoConfiguration.class })
	static class GrpcApplication {

		@Bean
		OkService okService() {
			return new OkService();
		}

	}

	static final class OkService implements BindableService {

		static final MethodDescriptor<String, String> METHOD = MethodDescriptor.<String, String>newBuilder()
			.setType(MethodType.UNARY)
			.setFullMethodName("test.Ok/call")
			.setRequestMarshaller(new TextMarshaller())
			.setResponseMarshaller(new TextMarshaller())
			.build();

		@Override
		public ServerServiceDefinition bindService() {
			return ServerServiceDefinition.builder("test.Ok")
				.addMethod(METHOD, ServerCalls.asyncUnaryCall((request, responses) -> {
					responses.onNext("ok");
					responses.onCompleted();
				}))
				.build();
		}

	}

	private static final class TextMarshaller implements Marshaller<String> {

		@Override
		public InputStream stream(String value) {
			return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
		}

		@Override
		public String parse(InputStream stream) {
			try {
				return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
