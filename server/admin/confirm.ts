import { confirm, isCancel } from '@clack/prompts'
import { AdminError } from './admin-error.js'

/**
 * Asks whoever sits at the terminal. `--yes` answers beforehand.
 * @throws {AdminError} when the answer is no, and where nobody can be asked
 */
export async function confirmed(yes: boolean, question: string): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new AdminError(`${question} Nobody can be asked here: say --yes.`, 'CONFIRMATION_NEEDED')
  }
  const answer = await confirm({ message: question, initialValue: false, output: process.stderr })
  if (isCancel(answer) || !answer) throw new AdminError('Nothing was done.', 'NOT_CONFIRMED')
}
