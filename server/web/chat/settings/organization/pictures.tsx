import { For, type JSX, Show } from 'solid-js'
import { type TextKey, t } from '../../../language/language.js'
import { createAttempts } from '../../../look/attempts.js'
import { ErrorNotice } from '../../../look/error-notice.js'
import { ownPicture } from '../../../look/own-picture.js'
import type { ChatState } from '../../../state/chat-state.js'
import { isAdministrator } from '../../../state/permissions.js'
import { useChat } from '../../chat.js'
import { PictureField } from '../../dialogs/picture-field.js'
import { sendFile } from '../../send-file.js'
import { Entry } from '../entry.js'

interface Kind {
  readonly title: TextKey
  readonly hint: TextKey
  readonly path: string
  readonly night?: boolean
  address(state: ChatState): string
}

const kinds: readonly Kind[] = [
  {
    title: 'pictures.icon',
    hint: 'pictures.iconHint',
    path: '/realm/icon',
    address: state => state.realm_icon_url,
  },
  {
    title: 'pictures.logo',
    hint: 'pictures.logoHint',
    path: '/realm/logo',
    night: false,
    address: state => state.realm_logo_url,
  },
  {
    title: 'pictures.night',
    hint: 'pictures.nightHint',
    path: '/realm/logo',
    night: true,
    address: state => state.realm_night_logo_url,
  },
]

/** The pictures of the organization, which administrators change. */
export function OrganizationPictures(): JSX.Element {
  const chat = useChat()
  const { error, isBusy, attempt } = createAttempts()
  const mayChange = () => isAdministrator(chat.state)
  const send = ({ path, night }: Kind, picture: File) =>
    void attempt(() => sendFile(path, picture, night === undefined ? {} : { night: String(night) }))
  const remove = ({ path, night }: Kind) =>
    void attempt(() => chat.ask('DELETE', path, night === undefined ? {} : { night }))
  return (
    <Entry name="icon">
      <div class="dialog-form">
        <For each={kinds.filter(kind => mayChange() || ownPicture(kind.address(chat.state)))}>
          {kind => (
            <div class="organization-picture" classList={{ night: kind.night }}>
              <PictureField
                title={t(kind.title)}
                disabled={isBusy() || !mayChange()}
                isSquare={kind.night === undefined}
                send={picture => send(kind, picture)}
              />
              <p class="quiet">{t(kind.hint)}</p>
              <Show when={ownPicture(kind.address(chat.state))}>
                {address => (
                  <p class="shown-picture">
                    <img src={address()} alt={t(kind.title)} />
                    <button
                      type="button"
                      class="button"
                      disabled={isBusy() || !mayChange()}
                      aria-label={t('pictures.removeOne', t(kind.title))}
                      onClick={() => remove(kind)}
                    >
                      {t('words.remove')}
                    </button>
                  </p>
                )}
              </Show>
            </div>
          )}
        </For>
      </div>
      <ErrorNotice text={error()} />
    </Entry>
  )
}
