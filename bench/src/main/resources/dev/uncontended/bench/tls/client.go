// Opens TLS connections with one request each, with one session cache: client.go PORT VERSION CONNECTIONS PARALLEL [GROUP ...].
// The first connection has ended before the others begin.
package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
)

const url = "https://bench.example/"

var versions = map[string]uint16{"TLSv1.2": tls.VersionTLS12, "TLSv1.3": tls.VersionTLS13}

var groups = map[string]tls.CurveID{"X25519MLKEM768": tls.X25519MLKEM768, "P-256": tls.CurveP256}

func main() {
	address := "127.0.0.1:" + os.Args[1]
	version := versions[os.Args[2]]
	connections := number(os.Args[3])
	parallel := number(os.Args[4])
	config := &tls.Config{
		InsecureSkipVerify: true,
		MinVersion:         version,
		MaxVersion:         version,
		ClientSessionCache: tls.NewLRUClientSessionCache(0),
	}
	for _, group := range os.Args[5:] {
		config.CurvePreferences = append(config.CurvePreferences, groups[group])
	}
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		TLSClientConfig:   config,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, address)
		},
	}}
	request(client)
	numbers := make(chan int)
	var workers sync.WaitGroup
	for range parallel {
		workers.Go(func() {
			for range numbers {
				request(client)
			}
		})
	}
	for i := 1; i < connections; i++ {
		numbers <- i
	}
	close(numbers)
	workers.Wait()
}

// request reads the response to its end, so that the connection's tickets have arrived.
func request(client *http.Client) {
	response, err := client.Get(url)
	if err != nil {
		fail(err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		fail(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		fail(fmt.Errorf("status %d: %s", response.StatusCode, body))
	}
}

func number(text string) int {
	value, err := strconv.Atoi(text)
	if err != nil {
		fail(err)
	}
	return value
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
