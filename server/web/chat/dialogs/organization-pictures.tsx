import { createSignal, For, type JSX, Show } from 'solid-js'
import { ownPicture } from '../../look/own-picture.js'
import type { ChatState } from '../../state/chat-state.js'
import { useChat } from '../chat.js'
import { sendFile } from '../send-file.js'
import { Dialog } from './dialog.js'

const types = 'image/png,image/jpeg,image/gif,image/webp,image/avif,image/tiff'

interface Kind {
  readonly title: string
  readonly hint: string
  readonly path: string
  readonly night?: boolean
  address(state: ChatState): string
}

const kinds: readonly Kind[] = [
  {
    title: 'Icon',
    hint: 'Square: beside the name, when signing in, and in the browser’s tab.',
    path: '/realm/icon',
    address: state => state.realm_icon_url,
  },
  {
    title: 'Logo',
    hint: 'Wide: in place of icon and name.',
    path: '/realm/logo',
    night: false,
    address: state => state.realm_logo_url,
  },
  {
    title: 'Logo for dark colours',
    hint: 'Without it, the other logo serves for dark colours too.',
    path: '/realm/logo',
    night: true,
    address: state => state.realm_night_logo_url,
  },
]

/** The pictures of the organization, which administrators change. */
export function OrganizationPictures(): JSX.Element {
  const chat = useChat()
  const [isSending, setSending] = createSignal(false)
  const [error, setError] = createSignal('')
  const attempt = async (work: Promise<unknown>) => {
    setError('')
    setSending(true)
    try {
      await work
    } catch (failure) {
      setError((failure as Error).message)
    }
    setSending(false)
  }
  const choose = ({ path, night }: Kind, input: HTMLInputElement) => {
    const [file] = input.files ?? []
    if (file) void attempt(sendFile(chat, path, file, night === undefined ? {} : { night: String(night) }))
    input.value = ''
  }
  const remove = ({ path, night }: Kind) => void attempt(chat.ask('DELETE', path, night === undefined ? {} : { night }))
  return (
    <Dialog title="Icon and logo">
      <Show when={error()}>
        <p class="notice bad" role="alert">
          {error()}
        </p>
      </Show>
      <div class="dialog-form">
        <For each={kinds}>
          {kind => (
            <div class="organization-picture" classList={{ night: kind.night }}>
              <label class="field">
                {kind.title}
                <input
                  class="input"
                  type="file"
                  accept={types}
                  disabled={isSending()}
                  onChange={event => choose(kind, event.currentTarget)}
                />
              </label>
              <p class="quiet">{kind.hint}</p>
              <Show when={ownPicture(kind.address(chat.state))}>
                {address => (
                  <p class="shown-picture">
                    <img src={address()} alt={kind.title} />
                    <button
                      type="button"
                      class="button"
                      disabled={isSending()}
                      aria-label={`Remove: ${kind.title}`}
                      onClick={() => remove(kind)}
                    >
                      Remove
                    </button>
                  </p>
                )}
              </Show>
            </div>
          )}
        </For>
      </div>
    </Dialog>
  )
}
