package org.example.store;

import java.util.List;

/**
 * Keeps entries.
 */
@SuppressWarnings("unchecked")
public class Store<K, V extends Comparable<V>> implements Iterable<V> {
    private static final int LIMIT = 10;
    private final List<V> items;

    public Store(List<V> items) {
        body_mark(0);
        body_mark(1);
        body_mark(2);
        body_mark(3);
        body_mark(4);
        body_mark(5);
        body_mark(6);
    }

    @Override
    public V find(K key, Class<? super V> type)
            throws MissingException {
        String brace = "{"; char c = '}';
        body_mark(0);
        body_mark(1);
        body_mark(2);
        body_mark(3);
        body_mark(4);
        body_mark(5);
        body_mark(6);
        throw new MissingException(key);
    }

    enum Mode { FAST, SAFE }

    interface Visitor {
        void visit(Object entry);
    }
}
