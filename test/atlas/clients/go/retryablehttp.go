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

func newRequest(one call, key string) *retryablehttp.Request {
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
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	return request
}

func byDefault(one call) error {
	response, err := plain.Do(newRequest(one, ""))
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
func recipe(one call) error {
	client := retryablehttp.NewClient()
	client.Logger, client.RetryMax, client.RetryWaitMin = nil, 3, 300*time.Millisecond
	client.HTTPClient.Timeout = 10 * time.Second
	client.CheckRetry = func(ctx context.Context, response *http.Response, err error) (bool, error) {
		again, err := retryablehttp.DefaultRetryPolicy(ctx, response, err)
		// A new contact has no key of its own: look whether it was created, before it is sent again.
		return again && !isThere(one.look), err
	}
	response, err := client.Do(newRequest(one, one.key))
	if err != nil {
		return err // keep the request in a queue on disk, and send it later
	}
	// It does not repeat a response that is cut.
	if _, err = io.ReadAll(response.Body); err == nil || isThere(one.look) {
		return nil
	}
	time.Sleep(300 * time.Millisecond)
	return recipe(one)
}

func isThere(look string) bool {
	if look == "" {
		return false
	}
	response, err := plain.Get(look)
	return err == nil && response.StatusCode == 200
}
