import { styleText } from 'node:util'

type Colour = Parameters<typeof styleText>[0]

/** Where a command speaks. */
export interface Terminal {
  say(line: string): void
  complain(line: string): void
  /** Coloured where the terminal takes it and the environment has no NO_COLOR. */
  paint(colour: Colour, text: string): string
}

export const processTerminal: Terminal = {
  say: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`${line}\n`),
  paint: (colour, text) => styleText(colour, text, { stream: process.stdout }),
}
