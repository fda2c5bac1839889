// Dependencies are exact, locked, and install without running anything.
import { z } from 'zod'
import type { Rule } from './source-file.ts'

const manifest = z.looseObject({
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  scripts: z.record(z.string(), z.string()).default({}),
})
const lockfile = z.looseObject({
  packages: z.record(z.string(), z.looseObject({ version: z.string().optional(), integrity: z.string().optional() })),
})
const lifecycle = /^(pre|post)?(install|prepare|publish|pack)$/

export const exactVersionRule: Rule = (files) => {
  const parsed = read(files)
  if (!parsed) return ['package.json is missing']
  const all = { ...parsed.dependencies, ...parsed.devDependencies, ...parsed.optionalDependencies }
  return Object.entries(all)
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `package.json: ${name} "${version}" is not an exact version`)
}

export const lockRule: Rule = (files) => {
  const text = files.find((file) => file.path === 'package-lock.json')?.text
  const parsed = read(files)
  if (text === undefined || !parsed) return ['package-lock.json is missing']
  const { packages } = lockfile.parse(JSON.parse(text))
  const direct = { ...parsed.dependencies, ...parsed.devDependencies, ...parsed.optionalDependencies }
  const stale = Object.entries(direct).filter(
    ([name, version]) => packages[`node_modules/${name}`]?.version !== version,
  )
  const open = Object.entries(packages).filter(([name, entry]) => name !== '' && entry.integrity === undefined)
  return [
    ...stale.map(([name, version]) => `package-lock.json does not hold ${name} ${version}`),
    ...open.map(([name]) => `package-lock.json: ${name} has no integrity hash`),
  ]
}

export const lifecycleRule: Rule = (files) =>
  Object.keys(read(files)?.scripts ?? {})
    .filter((name) => lifecycle.test(name))
    .map((name) => `package.json: script "${name}" would run at install time`)

function read(files: Parameters<Rule>[0]): z.infer<typeof manifest> | undefined {
  const text = files.find((file) => file.path === 'package.json')?.text
  return text === undefined ? undefined : manifest.parse(JSON.parse(text))
}
