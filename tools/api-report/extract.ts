import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CompilerState, Extractor, ExtractorConfig, type ExtractorMessage } from '@microsoft/api-extractor'
import { type Entry, entriesOf } from './entries.ts'
import type { ApiItem, ExtractedEntry } from './model.ts'

/** Builds the declarations of all packages, and tells what each entry exports. */
export function extractApi(root: string): readonly ExtractedEntry[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-api-'))
  try {
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'prismapi', type: 'module' }))
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
    buildDeclarations(root, folder)
    const options = { ...compilerOptions, paths: pathsOf(root) }
    const configs = entriesOf(root).map((entry) => [entry, configOf(entry, folder, options)] as const)
    const [first, ...rest] = configs.map(([, config]) => config)
    const compilerState = CompilerState.create(first as ExtractorConfig, {
      additionalEntryPoints: rest.map((config) => config.mainEntryPointFilePath),
    })
    return configs.map(([entry, config]) => extract(entry, { config, compilerState }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function buildDeclarations(root: string, folder: string): void {
  // The one of the repository: API Extractor brings an older one.
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  const packages = path.join(root, 'packages')
  const config = path.join(folder, 'tsconfig.json')
  // Whether types are right is what tsc says elsewhere.
  const emitted = { noEmit: false, emitDeclarationOnly: true, declaration: true, noCheck: true }
  const options = { ...emitted, rewriteRelativeImportExtensions: true, rootDir: packages, outDir: folder }
  const include = [path.join(packages, '*/src')]
  const extended = path.join(root, 'tsconfig.json')
  writeFileSync(config, JSON.stringify({ extends: extended, compilerOptions: options, include, exclude: [] }))
  execFileSync(process.execPath, [tsc, '-p', config], { stdio: 'inherit' })
}

function configOf(entry: Entry, folder: string, options: object): ExtractorConfig {
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: path.join(folder, entry.declarations),
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions: options, files: [entry.declarations] } },
      apiReport: {
        enabled: true,
        reportFileName: entry.name,
        reportFolder: folder,
        reportTempFolder: folder,
        reportVariants: ['public'],
      },
      docModel: {
        enabled: true,
        apiJsonFilePath: path.join(folder, `${entry.name}.api.json`),
        includeForgottenExports: true,
      },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: path.join(folder, 'package.json'),
  })
}

const compilerOptions = {
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'esnext.disposable'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
}

/** Where declarations that were built find each other: what an entry hands on of another package is its own then. */
const pathsOf = (root: string): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    readdirSync(path.join(root, 'packages')).flatMap((folder) => {
      const name = folder === 'prismapi' ? folder : `@prismapi/${folder}`
      return [
        [name, [`./${folder}/src/index.d.ts`]],
        [`${name}/internal/*`, [`./${folder}/src/*.d.ts`]],
        [`${name}/*`, [`./${folder}/src/*.d.ts`]],
      ]
    }),
  )

interface Compiled {
  readonly config: ExtractorConfig
  readonly compilerState: CompilerState
}

function extract(entry: Entry, { config, compilerState }: Compiled): ExtractedEntry {
  const faults: string[] = []
  const messageCallback = (message: ExtractorMessage) => {
    // The others say how comments of TSDoc are written, which is not what these are.
    if (message.category === 'Compiler') faults.push(message.text)
    message.handled = true
  }
  Extractor.invoke(config, { compilerState, localBuild: true, messageCallback })
  if (faults.length > 0) throw new Error(`${entry.specifier}: ${faults.join('\n')}`)
  return {
    ...entry,
    report: reportOf(readFileSync(path.join(config.reportTempFolder, `${entry.name}.public.api.md`), 'utf8')),
    model: JSON.parse(readFileSync(config.apiJsonFilePath, 'utf8')) as ApiItem,
  }
}

// A member that overrides another one is documented there.
const reportOf = (text: string): string =>
  text.replaceAll(/^ *\/\/ \(undocumented\)\n/gm, '').replaceAll(' (undocumented)', '')
