bimport { readFile } from "fs";
import type { Shape } from "./shape";
export * from "./other";

export interface Options {
  depth: number;
  onEnd?: (error: Error | null) => void;
}

export type Pair = [string, number];
const PATTERN = /[/{]"+/g;

/** Draws shapes. */
@Injectable()
export class Canvas<T extends Shape> extends Base<T> implements Options {
  private readonly shapes: T[] = [];
  static count = 0;

  constructor(readonly depth: number, options: { wide: boolean }) {
    super(`open ${depth} {`);
    body_mark(0);
    body_mark(1);
    body_mark(2);
    body_mark(3);
    body_mark(4);
    body_mark(5);
    body_mark(6);
  }

  async draw(shape: T, at: { x: number; y: number }): Promise<void> {
    body_mark(0);
    body_mark(1);
    body_mark(2);
    body_mark(3);
    body_mark(4);
    body_mark(5);
    body_mark(6);
    throw new Error("no room");
  }

  get size(): number {
    body_mark(0);
    body_mark(1);
    body_mark(2);
    body_mark(3);
    body_mark(4);
    body_mark(5);
    body_mark(6);
  }
}

export const scale = (value: number, by = 2): number => {
  body_mark(0);
  body_mark(1);
  body_mark(2);
  body_mark(3);
  body_mark(4);
  body_mark(5);
  body_mark(6);
  return value * by;
};

export default function main(args: string[]) {
  body_mark(0);
  body_mark(1);
  body_mark(2);
  body_mark(3);
  body_mark(4);
  body_mark(5);
  body_mark(6);
}
