// Runs before anything is installed or built: nothing but Node itself may be imported here.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const file = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'dist', '.lock')
const pollMs = 100

/**
 * Resolves with the result of `work`, which changes node_modules or dist. Only one command in this folder does so at a time; others wait,
 * and go on if the process that held the lock ended without releasing it.
 */
export async function onlyOne(work) {
  mkdirSync(dirname(file), { recursive: true })
  let said = false
  while (!take()) {
    const holder = holderOf(file)
    if (holder !== undefined && !isRunning(holder)) {
      release(holder)
      continue
    }
    if (!said)
      console.error(`Waiting for process ${holder ?? '?'}, which installs or builds in this folder (${file}) …`)
    said = true
    await sleep(pollMs)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

function take() {
  // Created with its content in one step: a reader never finds it empty.
  const own = `${file}.${process.pid}`
  writeFileSync(own, String(process.pid))
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  } finally {
    rmSync(own)
  }
}

/** The process that holds the lock; undefined if it has just been released. */
function holderOf(path) {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Removes the lock of a process that has ended, unless another command has done so and taken it. */
function release(holder) {
  const old = `${file}.old.${process.pid}`
  try {
    renameSync(file, old)
  } catch (error) {
    if (error.code === 'ENOENT') return
    throw error
  }
  if (holderOf(old) !== holder) renameSync(old, file)
  else rmSync(old)
}
