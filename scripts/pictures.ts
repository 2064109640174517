import { spawnSync } from 'node:child_process'

// Takes the pictures of the documentation anew, into docs/images/.
const files = ['test/browser/pictures.test.ts', 'test/browser/moving-picture.test.ts', 'test/process/tutorial.test.ts']
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'browser', '--project', 'process', ...files], {
  stdio: 'inherit',
  shell: true,
  env: { ...process.env, PICTURES: 'true' },
})
process.exitCode = status ?? 1
