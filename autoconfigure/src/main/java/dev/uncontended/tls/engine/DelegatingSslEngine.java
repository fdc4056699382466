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

package dev.uncontended.tls.engine;

import java.util.List;
import java.util.function.BiFunction;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

import org.jspecify.annotations.Nullable;

/**
 * An SSL engine that delegates the methods of its settings and its state.
 */
abstract class DelegatingSslEngine extends SSLEngine {

	DelegatingSslEngine(@Nullable String peerHost, int peerPort) {
		super(peerHost, peerPort);
	}

	/**
	 * Returns the SSL engine for the methods that a subclass does not override.
	 */
	protected SSLEngine delegate() {
		throw new UnsupportedOperationException();
	}

	@Override
	public @Nullable Runnable getDelegatedTask() {
		return delegate().getDelegatedTask();
	}

	@Override
	public boolean isInboundDone() {
		return delegate().isInboundDone();
	}

	@Override
	public boolean isOutboundDone() {
		return delegate().isOutboundDone();
	}

	@Override
	public String[] getSupportedCipherSuites() {
		return delegate().getSupportedCipherSuites();
	}

	@Override
	public String[] getEnabledCipherSuites() {
		return delegate().getEnabledCipherSuites();
	}

	@Override
	public void setEnabledCipherSuites(String[] suites) {
		delegate().setEnabledCipherSuites(suites);
	}

	@Override
	public String[] getSupportedProtocols() {
		return delegate().getSupportedProtocols();
	}

	@Override
	public String[] getEnabledProtocols() {
		return delegate().getEnabledProtocols();
	}

	@Override
	public void setEnabledProtocols(String[] protocols) {
		delegate().setEnabledProtocols(protocols);
	}

	@Override
	public SSLSession getSession() {
		return delegate().getSession();
	}

	@Override
	public @Nullable SSLSession getHandshakeSession() {
		return delegate().getHandshakeSession();
	}

	@Override
	public void beginHandshake() throws SSLException {
		delegate().beginHandshake();
	}

	@Override
	public HandshakeStatus getHandshakeStatus() {
		return delegate().getHandshakeStatus();
	}

	@Override
	public void setUseClientMode(boolean mode) {
		delegate().setUseClientMode(mode);
	}

	@Override
	public boolean getUseClientMode() {
		return delegate().getUseClientMode();
	}

	@Override
	public void setNeedClientAuth(boolean need) {
		delegate().setNeedClientAuth(need);
	}

	@Override
	public boolean getNeedClientAuth() {
		return delegate().getNeedClientAuth();
	}

	@Override
	public void setWantClientAuth(boolean want) {
		delegate().setWantClientAuth(want);
	}

	@Override
	public boolean getWantClientAuth() {
		return delegate().getWantClientAuth();
	}

	@Override
	public void setEnableSessionCreation(boolean flag) {
		delegate().setEnableSessionCreation(flag);
	}

	@Override
	public boolean getEnableSessionCreation() {
		return delegate().getEnableSessionCreation();
	}

	@Override
	public SSLParameters getSSLParameters() {
		return delegate().getSSLParameters();
	}

	@Override
	public void setSSLParameters(SSLParameters parameters) {
		delegate().setSSLParameters(parameters);
	}

	@Override
	public @Nullable String getApplicationProtocol() {
		return delegate().getApplicationProtocol();
	}

	@Override
	public @Nullable String getHandshakeApplicationProtocol() {
		return delegate().getHandshakeApplicationProtocol();
	}

	@Override
	public void setHandshakeApplicationProtocolSelector(BiFunction<SSLEngine, List<String>, String> selector) {
		delegate().setHandshakeApplicationProtocolSelector(selector);
	}

	@Override
	public @Nullable BiFunction<SSLEngine, List<String>, String> getHandshakeApplicationProtocolSelector() {
		return delegate().getHandshakeApplicationProtocolSelector();
	}

}
