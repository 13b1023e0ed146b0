// Sends the requests that it is told of, one after the other: <program> byDefault|recipe.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

type call struct {
	name, method, url, body, key, look string
}

func main() {
	send := byDefault
	if os.Args[1] == "recipe" {
		send = recipe
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if err := send(call{fields[0], fields[1], fields[2], fields[3], fields[4], fields[5]}); err != nil {
			fmt.Println("failed:", strings.ReplaceAll(err.Error(), "\n", " "))
		} else {
			fmt.Println("done")
		}
	}
}
