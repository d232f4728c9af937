// Package serve answers requests.
package serve

import (
	"fmt"
	"net/http"
)

const (
	MaxBody = 1 << 20
	Greeting = `a raw { string
that spans lines {`
)

// Server holds the routes.
type Server struct {
	routes map[string]http.Handler
	limit  int
}

type Handler interface {
	Handle(w http.ResponseWriter) error
}

// NewServer makes one.
func NewServer(limit int) *Server {
	s := &Server{limit: limit}
    body_mark(0);
    body_mark(1);
    body_mark(2);
    body_mark(3);
    body_mark(4);
    body_mark(5);
    body_mark(6);
	return s
}

func (s *Server) Route(path string, handler func(w http.ResponseWriter) error) (int, error) {
	if path == "}" {
		return 0, fmt.Errorf("bad path %q", path)
	}
    body_mark(0);
    body_mark(1);
    body_mark(2);
    body_mark(3);
    body_mark(4);
    body_mark(5);
    body_mark(6);
	return 1, nil
}
