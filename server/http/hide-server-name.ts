import * as native from 'uWebSockets.js'

/** Removes the header that names the server program and version. The types of uWebSockets.js lack this switch. */
export function hideServerName(): void {
  ;(native as unknown as { _cfg(option: 'silent'): void })._cfg('silent')
}
