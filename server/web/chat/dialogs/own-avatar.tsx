import type { JSX } from 'solid-js'
import { t } from '../../language/language.js'
import { createAttempts } from '../../look/attempts.js'
import { ErrorNotice } from '../../look/error-notice.js'
import { Avatar } from '../avatar.js'
import { useChat } from '../chat.js'
import { sendFile } from '../send-file.js'
import { Dialog } from './dialog.js'
import { PictureField } from './picture-field.js'

const path = '/users/me/avatar'

/** The user's own picture: another one, or none. */
export function OwnAvatar(): JSX.Element {
  const chat = useChat()
  const { error, isBusy, attempt } = createAttempts()
  return (
    <Dialog title={t('pictures.own')}>
      <div class="dialog-form">
        <Avatar userId={chat.state.user_id} />
        <PictureField
          title={t('pictures.another')}
          disabled={isBusy()}
          isSquare
          send={picture => void attempt(() => sendFile(path, picture))}
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
