#!/usr/bin/env node
import * as modules from 'node:module'
import { run } from './run.ts'
import { processTerminal } from './terminal.ts'

// Of Node 22 and later, whose types are those of Node 20 here: the second start compiles nothing.
Reflect.get(modules, 'enableCompileCache')?.()
process.exitCode = await run(process.argv.slice(2), process.cwd(), processTerminal)
