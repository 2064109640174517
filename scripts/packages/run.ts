// `run.ts docs vitepress build docs`: runs a program with the packages of a folder that has its own, which are installed first.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { installPackages } from './install.ts'

const root = path.resolve(import.meta.dirname, '../..')
const [folder, program, ...args] = process.argv.slice(2)
if (folder === undefined || program === undefined)
  throw new Error('Say a folder and a program: docs vitepress build docs')
installPackages(folder)
const programs = ['.', folder].map((each) => path.join(root, each, 'node_modules/.bin'))
const PATH = [...programs, process.env.PATH].join(path.delimiter)
const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH } })
process.exitCode = status ?? 1
