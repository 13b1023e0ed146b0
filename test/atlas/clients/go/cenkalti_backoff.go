package main

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff"
)

func newRequest(one call, key string) *http.Request {
	request, err := http.NewRequest(one.method, one.url, strings.NewReader(one.body))
	if err != nil {
		panic(err)
	}
	if one.body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	return request
}

func byDefault(one call) error {
	operation := func() error {
		response, err := http.DefaultClient.Do(newRequest(one, ""))
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if _, err = io.ReadAll(response.Body); err == nil && response.StatusCode >= 400 {
			err = fmt.Errorf("status %d", response.StatusCode)
		}
		return err
	}
	return backoff.Retry(operation, backoff.NewExponentialBackOff())
}

// The recipe
var client = &http.Client{Timeout: 10 * time.Second}

func recipe(one call) error {
	tried := false
	return backoff.Retry(func() error {
		// A new contact has no key of its own: look whether it was created, before it is sent again.
		if tried && one.look != "" {
			if status, err := send(call{method: "GET", url: one.look}); err != nil || status == 200 {
				return err
			}
		}
		tried = true
		_, err := send(one)
		return err
	}, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 3))
} // if it fails: keep the request in a queue on disk, and send it later

// Fails for what may pass: no response, one that was cut, 429 and 5xx.
func send(one call) (int, error) {
	response, err := client.Do(newRequest(one, one.key))
	if err != nil {
		return 0, err
	}
	if _, err = io.ReadAll(response.Body); err == nil && (response.StatusCode == 429 || response.StatusCode >= 500) {
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		time.Sleep(time.Duration(seconds) * time.Second)
		err = fmt.Errorf("status %d", response.StatusCode)
	}
	return response.StatusCode, err
}
