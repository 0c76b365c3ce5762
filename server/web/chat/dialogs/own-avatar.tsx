import type { JSX } from 'solid-js'
import { t } from '../../language/language.js'
import { createAttempts } from '../../look/attempts.js'
import { ErrorNotice } from '../../look/error-notice.js'
import { Avatar } from '../avatar.js'
import { useChat } from '../chat.js'
import { FileField } from '../file-field.js'
import { sendFile } from '../send-file.js'
import { Dialog } from './dialog.js'

const path = '/users/me/avatar'
const types = 'image/png,image/jpeg,image/gif,image/webp,image/avif,image/tiff'

/** The user's own picture: another one, or none. */
export function OwnAvatar(): JSX.Element {
  const chat = useChat()
  const { error, isBusy, attempt } = createAttempts()
  const choose = (input: HTMLInputElement) => {
    const [file] = input.files ?? []
    if (file) void attempt(() => sendFile(path, file))
    input.value = ''
  }
  return (
    <Dialog title={t('pictures.own')}>
      <div class="dialog-form">
        <Avatar userId={chat.state.user_id} />
        <FileField
          title={t('pictures.another')}
          accept={types}
          disabled={isBusy()}
          onChange={event => choose(event.currentTarget)}
        />
        <button
          type="button"
          class="button"
          disabled={isBusy()}
          onClick={() => void attempt(() => chat.ask('DELETE', path))}
        >
          {t('words.remove')}
        </button>
      </div>
      <ErrorNotice text={error()} />
    </Dialog>
  )
}
