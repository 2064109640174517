import type { Reporter, TestModule } from 'vitest/node'

/** Says at the end of a run how long the files of each project took, those of one project after the other; several run at a time. */
export default class SecondsByProject implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const projects = new Map<string, { files: number; milliseconds: number }>()
    for (const each of modules) {
      const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = each.diagnostic()
      const { files, milliseconds } = projects.get(each.project.name) ?? { files: 0, milliseconds: 0 }
      const took = environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration
      projects.set(each.project.name, { files: files + 1, milliseconds: milliseconds + took })
    }
    const dearest = [...projects].sort(([, a], [, b]) => b.milliseconds - a.milliseconds)
    const lines = dearest.map(
      ([name, { files, milliseconds }]) =>
        `${String(Math.round(milliseconds / 1000)).padStart(6)} s  ${name}, ${files} files`,
    )
    console.log(['Seconds of work by project:', ...lines].join('\n'))
  }
}
