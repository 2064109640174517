import { styleText } from 'node:util'
import type { Terminal } from '@prismapi/core/server/command'

export type { Terminal } from '@prismapi/core/server/command'

export const processTerminal: Terminal = {
  say: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`${line}\n`),
  paint: (colour, text) => styleText(colour, text, { stream: process.stdout }),
}
