import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CompilerState, Extractor, ExtractorConfig, type ExtractorMessage } from '@microsoft/api-extractor'
import { type Entry, entriesOf } from './entries.ts'
import type { ApiItem, ExtractedEntry } from './model.ts'

/** Builds the declarations, and tells what each entry of the package exports. */
export function extractApi(root: string): readonly ExtractedEntry[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-api-'))
  try {
    copyFileSync(path.join(root, 'package.json'), path.join(folder, 'package.json'))
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
    buildDeclarations(root, folder)
    const configs = entriesOf(root).map((entry) => [entry, configOf(entry, folder)] as const)
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
  const config = path.join(root, 'tsconfig.build.json')
  // Whether types are right is what tsc says elsewhere.
  const options = ['--emitDeclarationOnly', '--noCheck', '--outDir', folder]
  execFileSync(process.execPath, [tsc, '-p', config, ...options], { stdio: 'inherit' })
}

function configOf(entry: Entry, folder: string): ExtractorConfig {
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: path.join(folder, entry.declarations),
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions, files: [entry.declarations] } },
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
