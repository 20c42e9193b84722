/** "Password" in other languages, as plugins and their settings name it; in lower case. */
export const FOREIGN_PASSWORD_WORDS: readonly string[] =
  'passwort kennwort senha contraseña contrasena parola şifre sifre пароль 密码 密碼 口令 비밀번호 パスワード'.split(
    ' ',
  );
