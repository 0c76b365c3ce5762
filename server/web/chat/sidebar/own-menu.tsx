import { type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import { isAdministrator } from '../../state/permissions.js'
import { Avatar } from '../avatar.js'
import { useChat } from '../chat.js'
import { Menu } from '../menu.js'
import { nameOf } from '../names.js'
import { ThemeSwitch } from '../theme-switch.js'
import { useView } from '../view.js'

/** The user's menu: theme, settings, keyboard shortcuts, sign-out. */
export function OwnMenu(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const isAdmin = () => isAdministrator(chat.state)
  const signOut = () => {
    const unsent = chat.state.outbox.length
    if (unsent === 0) return chat.signOut()
    chat.say(t('ownMenu.unsent', unsent), 'bad', { title: t('ownMenu.signOut'), work: chat.signOut })
  }
  return (
    <Menu
      label={t('ownMenu.label')}
      buttonClass="own-button"
      button={<Avatar userId={chat.state.user_id} hasPresence />}
    >
      {close => (
        <>
          <p class="menu-head">
            <strong dir="auto">{nameOf(chat.state, chat.state.user_id)}</strong>
            <span>{chat.session.email}</span>
          </p>
          <ThemeSwitch />
          <button
            type="button"
            class="menu-row"
            onClick={() => {
              close()
              view.open('settings')
            }}
          >
            <Icon name="sliders" /> {t('ownMenu.settings')}
          </button>
          <button
            type="button"
            class="menu-row"
            onClick={() => {
              close()
              view.open('status')
            }}
          >
            <Icon name="smile" /> {t('ownMenu.status')}
          </button>
          <button
            type="button"
            class="menu-row"
            onClick={() => {
              close()
              view.open('drafts')
            }}
          >
            <Icon name="edit" /> {t('ownMenu.drafts')}
          </button>
          <button
            type="button"
            class="menu-row"
            onClick={() => {
              close()
              view.open('avatar')
            }}
          >
            <Icon name="edit" /> {t('ownMenu.picture')}
          </button>
          <button
            type="button"
            class="menu-row"
            onClick={() => {
              close()
              view.open('keys')
            }}
          >
            <Icon name="keys" /> {t('ownMenu.keys')}
          </button>
          <button
            type="button"
            class="menu-row"
            onClick={() => {
              close()
              view.open('emoji')
            }}
          >
            <Icon name="smile" /> {t('ownMenu.emoji')}
          </button>
          <button
            type="button"
            class="menu-row"
            onClick={() => {
              close()
              view.open({ group: 'all' })
            }}
          >
            <Icon name="people" /> {t('userGroups.title')}
          </button>
          <Show when={isAdmin()}>
            <button
              type="button"
              class="menu-row"
              onClick={() => {
                close()
                view.open('organization')
              }}
            >
              <Icon name="star" /> {t('ownMenu.organization')}
            </button>
            <a class="menu-row" href="/status">
              <Icon name="bell" /> {t('ownMenu.server')}
            </a>
          </Show>
          <button type="button" class="menu-row" onClick={signOut}>
            <Icon name="out" /> {t('ownMenu.signOut')}
          </button>
        </>
      )}
    </Menu>
  )
}
