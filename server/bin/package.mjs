// Makes the client package, ready to be published, and its tarball: `npm run package [-- DIRECTORY]`.
import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, filesBelow, install, root } from './prepare.mjs'
import { useSupportedNode } from './supported-node.mjs'

const source = join(root, 'shared')
const entry = join('client', 'index.js')

/** Builds the package into a directory, which is emptied first, and packs it beside; returns the tarball's path. */
export function makePackage(directory) {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  run(process.execPath, [compiler, '--project', source, '--outDir', directory], root)
  keepWhatRuns(directory)
  for (const name of ['package.json', 'README.md']) copyFileSync(join(source, name), join(directory, name))
  copyFileSync(join(root, 'LICENSE'), join(directory, 'LICENSE'))
  cpSync(join(source, 'examples'), join(directory, 'examples'), { recursive: true })
  const packed = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', dirname(directory)], directory)
  return join(dirname(directory), JSON.parse(packed)[0].filename)
}

/** The schemas are there for the server: of them a client has the types alone, so no program of theirs goes along. */
function keepWhatRuns(directory) {
  const used = new Set()
  const follow = file => {
    if (used.has(file)) return
    used.add(file)
    for (const [, target] of readFileSync(file, 'utf8').matchAll(/(?:from|import) '(\.[^']+)'/g)) {
      follow(resolve(dirname(file), target))
    }
  }
  follow(join(directory, entry))
  for (const file of filesBelow(directory)) if (file.endsWith('.js') && !used.has(file)) rmSync(file)
}

function run(command, args, cwd) {
  const { status, stdout } = spawnSync(command, args, { cwd, stdio: ['ignore', 'pipe', 2], encoding: 'utf8' })
  if (status !== 0) fail(`${[command, ...args].join(' ')} failed.\n${stdout ?? ''}`)
  return stdout
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await useSupportedNode()
  if (!existsSync(join(root, 'node_modules', 'typescript'))) await install()
  console.log(makePackage(resolve(process.argv[2] ?? join(root, 'dist-package', 'parley-client'))))
}
