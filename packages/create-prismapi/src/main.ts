#!/usr/bin/env node
import { processTerminal } from '@prismapi/cli/terminal'
import { create } from './create.ts'

process.exitCode = await create(process.argv.slice(2), process.cwd(), processTerminal)
