package org.example

import scala.util.Try

trait Shape {
  def area: Double
}

case class Circle(r: Double) extends Shape {
  def area: Double = {
    body_mark(0);
    body_mark(1);
    body_mark(2);
    body_mark(3);
    body_mark(4);
    body_mark(5);
    body_mark(6);
  }
}

object Main {
  def main(args: Array[String]): Unit = {
    body_mark(0);
    body_mark(1);
    body_mark(2);
    body_mark(3);
    body_mark(4);
    body_mark(5);
    body_mark(6);
  }
}
