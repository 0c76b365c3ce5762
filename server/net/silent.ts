import * as native from 'uWebSockets.js'

/** Answers do not tell what program and which version of it wrote them. The types of the native layer do not know this switch. */
export function beSilent(): void {
  ;(native as unknown as { _cfg(option: 'silent'): void })._cfg('silent')
}
