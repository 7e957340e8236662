<?xml version="1.0" encoding="UTF-8"?>
<!-- Shows the RSS feed to a person who opens its address in a browser. -->
<xsl:stylesheet version="1.0"
  xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
  xmlns:atom="http://www.w3.org/2005/Atom"
  xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
  xmlns="http://www.w3.org/1999/xhtml"
  exclude-result-prefixes="xsl atom itunes">
  <xsl:output method="html" encoding="UTF-8" indent="no" doctype-system="about:legacy-compat"/>

  <xsl:template match="/rss">
    <xsl:apply-templates select="channel"/>
  </xsl:template>

  <xsl:template match="channel">
    <xsl:variable name="language">
      <xsl:choose>
        <xsl:when test="language"><xsl:value-of select="language"/></xsl:when>
        <xsl:otherwise>en</xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <xsl:variable name="address" select="string(atom:link[@rel = 'self']/@href)"/>
    <xsl:variable name="home">
      <xsl:call-template name="path"><xsl:with-param name="address" select="link"/></xsl:call-template>
    </xsl:variable>
    <xsl:variable name="cover">
      <xsl:call-template name="path"><xsl:with-param name="address" select="itunes:image/@href | image/url[not(../../itunes:image/@href)]"/></xsl:call-template>
    </xsl:variable>
    <html lang="{$language}">
      <head>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content="light dark"/>
        <title><xsl:value-of select="title"/> (RSS)</title>
        <link rel="icon" href="{{#favicon}}{{favicon}}{{/favicon}}{{^favicon}}{{_theme.asset_base_url}}/assets/icon.svg{{/favicon}}"/>
        <link rel="stylesheet" href="{{_theme.asset_base_url}}/assets/style.css"/>
        <script src="{{_theme.asset_base_url}}/assets/theme.js" defer="defer"></script>
      </head>
      <body>
        <a class="skip" href="#theme-main">{{_words.skip}}</a>
        <header class="masthead wrap">
          <a class="brand" href="{$home}"><xsl:value-of select="title"/></a>
        </header>
        <main id="theme-main" class="wrap" tabindex="-1">
          <section class="notice" aria-label="{{_words.this_is_a_feed}}">
            <p><strong>{{_words.this_is_a_feed}}</strong> {{_words.about_feed}}</p>
            <xsl:if test="$address">
              <p class="address"><code><xsl:value-of select="$address"/></code></p>
              <button class="chip chip-main needs-js" type="button" data-copy="{$address}" data-copied="{{_words.copied}}">{{_words.copy_address}}</button>
            </xsl:if>
          </section>
          <header class="channel">
            <xsl:if test="string($cover)">
              <img class="channel-icon" src="{$cover}" alt="" width="160" height="160"/>
            </xsl:if>
            <div class="channel-text">
              <h1><xsl:value-of select="title"/></h1>
              <div class="prose channel-about"><p>{{_service.description_text}}</p></div>
              <p><a href="{$home}">{{_words.home}}</a></p>
            </div>
          </header>
          <div class="entries">
            <xsl:apply-templates select="item"/>
          </div>
        </main>
        <footer class="footer wrap">
          <p><xsl:value-of select="copyright"/></p>
        </footer>
      </body>
    </html>
  </xsl:template>

  <xsl:template match="item">
    <xsl:variable name="type" select="string(enclosure/@type)"/>
    <xsl:variable name="page">
      <xsl:call-template name="path"><xsl:with-param name="address" select="link"/></xsl:call-template>
    </xsl:variable>
    <xsl:variable name="medium">
      <xsl:call-template name="path"><xsl:with-param name="address" select="enclosure/@url"/></xsl:call-template>
    </xsl:variable>
    <xsl:variable name="picture">
      <xsl:call-template name="path"><xsl:with-param name="address" select="itunes:image/@href"/></xsl:call-template>
    </xsl:variable>
    <!-- An untitled post is named by its first words. -->
    <xsl:variable name="words">
      <xsl:if test="not(string(title))">
        <xsl:call-template name="text">
          <xsl:with-param name="html" select="substring(description, 1, 400)"/>
        </xsl:call-template>
      </xsl:if>
    </xsl:variable>
    <xsl:variable name="name">
      <xsl:choose>
        <xsl:when test="string(title)"><xsl:value-of select="title"/></xsl:when>
        <xsl:when test="string-length(normalize-space($words)) &gt; 100"><xsl:value-of select="substring(normalize-space($words), 1, 99)"/>…</xsl:when>
        <xsl:when test="normalize-space($words)"><xsl:value-of select="normalize-space($words)"/></xsl:when>
        <xsl:otherwise><xsl:value-of select="substring(pubDate, 6, 11)"/></xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <article class="entry">
      <div class="rail">
        <svg class="bead" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <xsl:choose>
            <xsl:when test="starts-with($type, 'audio/')"><path d="M2.5 6v4M5.5 3.5v9M8.5 1.5v13M11.5 4.5v7M14 6.5v3"/></xsl:when>
            <xsl:when test="starts-with($type, 'video/')"><path class="solid" d="M4 2.5 13.5 8 4 13.5z"/></xsl:when>
            <xsl:when test="starts-with($type, 'image/')"><path d="M2 3h12v10H2zM2.5 11.5l4-4 3 3 2-2 2.5 2.5"/></xsl:when>
            <xsl:when test="enclosure"><path d="M3.5 1.5h6l3 3v10h-9zM6 7.5h4M6 10.5h4"/></xsl:when>
            <xsl:otherwise><circle class="solid" cx="8" cy="8" r="3.5"/></xsl:otherwise>
          </xsl:choose>
        </svg>
        <!-- RFC 822: "Mon, 05 Jan 2026 09:00:00 GMT" -->
        <span><xsl:value-of select="substring(pubDate, 6, 11)"/></span>
        <xsl:if test="string(itunes:duration)"><span><xsl:value-of select="itunes:duration"/></span></xsl:if>
      </div>
      <div class="body">
        <h2 class="entry-title">
          <xsl:choose>
            <xsl:when test="string(link)"><a href="{$page}"><xsl:value-of select="$name"/></a></xsl:when>
            <xsl:otherwise><xsl:value-of select="$name"/></xsl:otherwise>
          </xsl:choose>
        </h2>
        <xsl:choose>
          <xsl:when test="starts-with($type, 'audio/')">
            <div class="card-audio">
              <xsl:if test="itunes:image/@href">
                <img src="{$picture}" alt="" width="64" height="64" loading="lazy"/>
              </xsl:if>
              <audio controls="controls" preload="none" src="{$medium}" aria-label="{$name}"></audio>
            </div>
          </xsl:when>
          <xsl:when test="starts-with($type, 'video/')">
            <video class="frame" controls="controls" preload="none" src="{$medium}" aria-label="{$name}">
              <xsl:if test="itunes:image/@href">
                <xsl:attribute name="poster"><xsl:value-of select="$picture"/></xsl:attribute>
              </xsl:if>
            </video>
          </xsl:when>
          <xsl:when test="starts-with($type, 'image/')">
            <a class="frame" href="{$page}"><img src="{$medium}" alt="{$name}" loading="lazy"/></a>
          </xsl:when>
          <xsl:when test="enclosure">
            <p class="outlink"><a href="{$medium}">{{_words.download}}</a></p>
          </xsl:when>
        </xsl:choose>
      </div>
    </article>
  </xsl:template>

  <!-- An address of the site as a path, which leads to the site wherever this feed is looked at. -->
  <xsl:template name="path">
    <xsl:param name="address"/>
    <xsl:variable name="path" select="substring-after($address, '{{_service.origin}}')"/>
    <xsl:choose>
      <xsl:when test="starts-with($address, '{{_service.base_url}}/') and not(starts-with($path, '//'))"><xsl:value-of select="$path"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="$address"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The text of a piece of HTML: what stands outside its tags. The piece is short, which bounds the recursion. -->
  <xsl:template name="text">
    <xsl:param name="html"/>
    <xsl:choose>
      <xsl:when test="contains($html, '&lt;')">
        <xsl:value-of select="substring-before($html, '&lt;')"/>
        <xsl:variable name="tag" select="substring-after($html, '&lt;')"/>
        <xsl:if test="starts-with($tag, '/p') or starts-with($tag, 'br') or starts-with($tag, '/h') or starts-with($tag, '/li')">
          <xsl:text> </xsl:text>
        </xsl:if>
        <xsl:call-template name="text">
          <xsl:with-param name="html" select="substring-after($tag, '&gt;')"/>
        </xsl:call-template>
      </xsl:when>
      <xsl:otherwise><xsl:value-of select="$html"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>
</xsl:stylesheet>
