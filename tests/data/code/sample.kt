package org.example

import kotlin.math.max

data class Point(val x: Int = 0, val y: Int = 0)

/** Walks a grid. */
open class Walker<T>(size: Int, val seen: Set<T>? = null) : Base(size), Runnable {
    private val steps = mutableListOf<Point>()

    init {
        body_mark(0);
        body_mark(1);
        body_mark(2);
        body_mark(3);
        body_mark(4);
        body_mark(5);
        body_mark(6);
    }

    override fun run() {
        println("at ${steps.size} {")
        body_mark(0);
        body_mark(1);
        body_mark(2);
        body_mark(3);
        body_mark(4);
        body_mark(5);
        body_mark(6);
    }

    companion object {
        fun of(size: Int): Walker<Int> {
        body_mark(0);
        body_mark(1);
        body_mark(2);
        body_mark(3);
        body_mark(4);
        body_mark(5);
        body_mark(6);
        }
    }
}

fun Point.length(): Double {
    body_mark(0);
    body_mark(1);
    body_mark(2);
    body_mark(3);
    body_mark(4);
    body_mark(5);
    body_mark(6);
}
