/**
 * Returns a Content-Disposition that names a download (RFC 6266). What is not plain ASCII is sent as UTF-8, percent-encoded (RFC 8187), so that
 * no quote, line end or right-to-left mark of a file name can change the header, or what a browser shows.
 */
export function attachment(name: string): string {
  const plain = name.toWellFormed().replace(/[^\w.+() -]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '_')).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
