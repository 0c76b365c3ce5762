// Runs before anything is installed or built: this file imports only modules of Node, and files that do the same.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { compileFiles } from './compile-files.mjs'
import { onlyOne } from './only-one.mjs'
import { preparePackages } from './packages.mjs'
import { npmCommand, useSupportedNode } from './supported-node.mjs'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
export const dist = join(root, 'dist')
const page = join(dist, 'web')
/** The program as it runs, which is supervisor and worker. */
export const program = join(dist, 'server', 'main.js')

const modules = join(root, 'node_modules')
const compiler = join(modules, 'typescript', 'bin', 'tsc')
const stampFile = join(dist, '.stamp')
const emittedFile = join(dist, '.emitted')
const pageStampFile = join(page, '.stamp')
const lockFile = join(root, 'package-lock.json')
const pageBuilder = join(root, 'server', 'bin', 'build-page.mjs')
// What npm downloads at the first installation.
const downloadMebibytes = 320
const progressMs = 500
const sourceFolders = ['shared', 'server', 'bench', 'test']

/** Ends the program with one sentence for the person who started it. */
export function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

/** Everything that a command of this package needs: the right Node, the dependencies, the compiled program. */
export async function prepare() {
  await useSupportedNode()
  await install({ mayLackDevelopment: existsSync(program) })
  checkSockets()
  // The compiler writes its output despite an error of types, which may be in a test; `npm run check` fails because of it.
  if (!(await build())) console.error('The compiler found the errors above; going on with what it built.')
}

/** Installs the dependencies when they are missing or are not those of package-lock.json. */
export async function install({ mayLackDevelopment = false } = {}) {
  if (!isInstalled(mayLackDevelopment)) {
    await onlyOne(async () => {
      // Another command may have installed them while this one waited.
      if (!isInstalled(mayLackDevelopment)) await installAll()
    })
  }
  preparePackages()
}

async function installAll() {
  console.error(`Installing the dependencies, once: about ${downloadMebibytes} MB to download …`)
  const hideProgress = showProgress()
  const [command, ...args] = npmCommand()
  // npm sums up on standard output and writes errors to standard error.
  const options = ['ci', '--include=dev', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  const npm = spawn(command, [...args, ...options], { cwd: root, stdio: ['ignore', 'ignore', 2] })
  const [status] = await once(npm, 'exit')
  hideProgress()
  if (status !== 0) fail('The dependencies could not be installed: run npm ci and see what it says.')
}

/** Counts the installed packages in the last line of a terminal; returns how to end it. */
function showProgress() {
  if (!process.stderr.isTTY) return () => {}
  const paths = Object.entries(wantedPackages()).flatMap(([path, entry]) => (isForHere(entry) ? [path] : []))
  const timer = setInterval(() => {
    const present = paths.filter(path => existsSync(join(root, path, 'package.json'))).length
    process.stderr.write(`\r${present} of ${paths.length} packages`)
  }, progressMs)
  return () => {
    clearInterval(timer)
    process.stderr.write('\r\u001b[K')
  }
}

const isForHere = ({ os, cpu }) => (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch))

/** Compiles and builds what changed since the last time; false when there are errors, which are then on standard error. */
export const build = () => buildWith(compile, isPageBuilt)

/**
 * Like `build`, but checks no types: `checkTypes` does so while the tests run. `needsPage`: without it, a web client that was built
 * from older sources stays.
 */
export const buildUnchecked = ({ needsPage }) =>
  buildWith(emit, () => (!needsPage && existsSync(pageStampFile)) || isPageBuilt())

async function buildWith({ isDone, run }, hasPage) {
  // Installed without development dependencies: run what was built before.
  if (!existsSync(compiler)) {
    if (existsSync(program)) return true
    fail('The program is not built and its compiler is not installed: run npm ci --include=dev.')
  }
  if (isDone() && hasPage()) return true
  // Both are built, also when the first fails: each shows its own errors.
  return onlyOne(async () => [isDone() || (await run()), hasPage() || buildPage()].every(Boolean))
}

const isChecked = () => isStamped(stampFile, stampOfSources())

const isEmitted = () => isStamped(emittedFile, stampOfSources())

const compile = { isDone: () => isEmitted() && isChecked(), run: () => writeCompiled([], [emittedFile, stampFile]) }

const emit = {
  isDone: isEmitted,
  run: async () => (await emitChanged()) || writeCompiled(['--noCheck'], [emittedFile]),
}

/** Compiles the changed files alone: tsc takes more than a second to find that no other output changes. False: tsc has to compile. */
async function emitChanged() {
  if (!existsSync(emittedFile)) return false
  const stamp = stampOfSources()
  const [before, now] = [readFileSync(emittedFile, 'utf8'), stamp].map(text => text.split('\n'))
  const [known, present] = [new Set(before), new Set(now.map(pathOf))]
  const changed = now.filter(fact => !known.has(fact)).map(pathOf)
  const isGone = before.some(fact => !present.has(pathOf(fact)))
  if (isGone || !changed.every(isCompiledAlone)) return false
  rmSync(emittedFile)
  if (!(await compileFiles(changed, { root, dist }))) return false
  writeFileSync(emittedFile, stamp)
  return true
}

/** Not the pages, of which tsc compiles only what tests import. */
const isCompiledAlone = path => /(?<!\.d)\.ts$/.test(path) && !path.startsWith(join('server', 'web') + sep)

/** Compiles, and notes in `stamps` from which sources if there was no error. */
function writeCompiled(options, stamps) {
  const stamp = stampOfSources()
  console.error('Compiling the program …')
  mkdirSync(dist, { recursive: true })
  for (const file of [emittedFile, stampFile]) rmSync(file, { force: true })
  removeStale(dist)
  const { status } = spawnSync(process.execPath, [...compilerArgs, ...options], {
    cwd: root,
    env: compilerEnv(),
    stdio: ['ignore', 2, 2],
  })
  if (status === 0) for (const file of stamps) writeFileSync(file, stamp)
  return status === 0
}

/** Checks the types if sources changed since they were checked; resolves with what the compiler found, '' if all is right. */
export async function checkTypes() {
  if (!existsSync(compiler) || isChecked()) return ''
  return onlyOne(async () => {
    const stamp = stampOfSources()
    const child = spawn(process.execPath, [...compilerArgs, '--noEmit'], {
      cwd: root,
      env: compilerEnv(),
      stdio: ['ignore', 'pipe', 2],
    })
    // The tests, which run at the same time, go first.
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    const [found, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    if (status === 0) writeFileSync(stampFile, stamp)
    return status === 0 ? '' : found || 'The compiler ended early.'
  })
}

const compilerArgs = [compiler, '--outDir', dist, '--incremental', '--tsBuildInfoFile', join(dist, '.tsbuildinfo')]

/** It is a Go program: it collects garbage less often, for a third less of CPU time and a tenth more of memory. */
const compilerEnv = () => ({ GOGC: '400', ...process.env })

const isPageBuilt = () => !existsSync(join(modules, 'vite')) || isStamped(pageStampFile, stampOfPage())

/** The web client, in a process of its own: what it is built with is not loaded where nothing changed. */
function buildPage() {
  const stamp = stampOfPage()
  console.error('Building the web client …')
  rmSync(pageStampFile, { force: true })
  const { status } = spawnSync(process.execPath, [pageBuilder, page], { cwd: root, stdio: ['ignore', 2, 2] })
  if (status === 0) writeFileSync(pageStampFile, stamp)
  return status === 0
}

const isStamped = (file, stamp) => existsSync(file) && readFileSync(file, 'utf8') === stamp

/**
 * Compared by content: npm may write either of the two lock files last, so their times say nothing. Packages of
 * other platforms may be missing, and development packages too, once the program is built.
 */
function isInstalled(mayLackDevelopment) {
  const installedLock = join(modules, '.package-lock.json')
  if (!existsSync(installedLock)) return false
  const wanted = wantedPackages()
  const installed = JSON.parse(readFileSync(installedLock, 'utf8')).packages
  const withoutDevelopment = mayLackDevelopment && !existsSync(compiler)
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true
    const found = installed[path]
    if (found) return found.version === entry.version && found.integrity === entry.integrity
    return entry.optional || entry.devOptional || entry.peer || (entry.dev && withoutDevelopment)
  })
}

const wantedPackages = () => JSON.parse(readFileSync(lockFile, 'utf8')).packages

/** Fails unless the installed uWebSockets.js has a binary for this platform and version of Node. */
function checkSockets() {
  const { platform, arch, versions } = process
  const binary = `uws_${platform}_${arch}_${versions.modules}.node`
  if (!existsSync(join(modules, 'uWebSockets.js', 'dist', 'bin', binary)))
    fail(`This server does not run on ${platform} ${arch}.`)
}

/** A line for each file, which names those that changed. */
const stampOfSources = () =>
  factsOf([...sourceFolders.flatMap(sourcesIn), join(root, 'tsconfig.json'), lockFile]).join('\n')

const stampOfPage = () =>
  stampOfFiles([...filesBelow(join(root, 'server', 'web')), ...sharedSources(), lockFile, pageBuilder])

const sharedSources = () => sourcesIn('shared')

/** Changes with the times and sizes of the files. */
export const stampOfFiles = files => createHash('sha256').update(factsOf(files).join('\n')).digest('hex')

/** The path, time and size of each. */
function factsOf(files) {
  return files.map(file => {
    const { mtimeMs, size } = statSync(file)
    return `${relative(root, file)} ${mtimeMs} ${size}`
  })
}

const pathOf = fact => fact.split(' ')[0]

function sourcesIn(folder) {
  return filesBelow(join(root, folder)).filter(file => file.endsWith('.ts'))
}

/** A compiled file whose source is gone would still run, as a test above all. */
function removeStale(directory) {
  for (const file of filesBelow(directory)) {
    const source = join(root, relative(dist, file)).replace(/\.js(\.map)?$/, '.ts')
    // The pages are not compiled but built, whole each time.
    if (/\.js(\.map)?$/.test(file) && !file.startsWith(page + sep) && !existsSync(source)) rmSync(file)
  }
}

/** All files of a directory and those below it; none when it does not exist. */
export function filesBelow(directory) {
  if (!existsSync(directory)) return []
  return readdirSync(directory, { withFileTypes: true }).flatMap(entry => {
    const path = join(directory, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}
