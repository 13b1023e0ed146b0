package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

var plain = retryablehttp.NewClient()

func init() {
	plain.Logger = nil
}

func newRequest(one call) *retryablehttp.Request {
	var body interface{}
	if one.body != "" {
		body = []byte(one.body)
	}
	request, err := retryablehttp.NewRequest(one.method, one.url, body)
	if err != nil {
		panic(err)
	}
	if one.body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	return request
}

func byDefault(one call) error {
	response, err := plain.Do(newRequest(one))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err = io.ReadAll(response.Body); err == nil && response.StatusCode >= 400 {
		err = fmt.Errorf("status %d", response.StatusCode)
	}
	return err
}

// The recipe
func newClient() *retryablehttp.Client {
	client := retryablehttp.NewClient()
	client.Logger, client.RetryMax, client.RetryWaitMin = nil, 3, 300*time.Millisecond
	client.HTTPClient.Timeout = 10 * time.Second
	return client
}

// Its own retries repeat 429 and 5xx, and heed Retry-After; a response that is cut is for the caller to repeat.
func recipe(one call) error {
	client := newClient()
	if one.look != "" {
		// A new contact has no key of its own: look whether it was created, before it is sent again.
		retry := client.CheckRetry
		client.CheckRetry = func(ctx context.Context, response *http.Response, err error) (bool, error) {
			again, err := retry(ctx, response, err)
			return again && !isThere(one.look), err
		}
	}
	request := newRequest(one)
	if one.key != "" {
		request.Header.Set("Idempotency-Key", one.key)
	}
	response, err := client.Do(request)
	if err != nil || response == nil {
		return err // keep the request in a queue on disk, and send it later
	}
	defer response.Body.Close()
	if _, err = io.ReadAll(response.Body); err != nil && (one.look == "" || !isThere(one.look)) {
		time.Sleep(300 * time.Millisecond)
		return recipe(one)
	}
	return nil
}

func isThere(look string) bool {
	response, err := newClient().Get(look)
	return err == nil && response.StatusCode == 200
}
