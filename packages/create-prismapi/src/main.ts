#!/usr/bin/env node
import { processTerminal } from '@prismapi/cli/terminal'
import { create } from './create.ts'
import { thisMachine } from './machine.ts'

process.exitCode = await create(process.argv.slice(2), process.cwd(), processTerminal, thisMachine)
