/** Geräte, die Benachrichtigungen bekommen, während keine Seite offen ist. */
export const push = {
  meaning:
    'Diese Geräte zeigen Benachrichtigungen auch, wenn der Chat nicht geöffnet ist. Unterwegs sind sie verschlüsselt.',
  off: 'Dieser Server schickt keine Benachrichtigungen an Geräte.',
  enable: 'Dieses Gerät benachrichtigen',
  impossible: 'In diesem Browser oder unter dieser Adresse sind keine Benachrichtigungen möglich.',
  denied: 'Der Browser blockiert die Benachrichtigungen dieser Seite.',
  test: 'Testen',
  remove: 'Entfernen',
  thisOne: '(dieses Gerät)',
  failing: '(die letzte Benachrichtigung kam nicht an)',
}
