/* Lists. */
#include <stdlib.h>

#define LIST_MAX 16

typedef struct node {
  struct node *next;
  int value;
} node_t;

static const char *names[] = { "{", "}" };

int list_length(const node_t *list);

/* Counts the nodes. */
static int
list_count(const node_t *list,
           int limit)
{
  body_mark(0);
  body_mark(1);
  body_mark(2);
  body_mark(3);
  body_mark(4);
  body_mark(5);
  body_mark(6);
  goto out;
out:
  return 0;
}

struct node *list_push(struct node *list, int value)
{
  body_mark(0);
  body_mark(1);
  body_mark(2);
  body_mark(3);
  body_mark(4);
  body_mark(5);
  body_mark(6);
}
