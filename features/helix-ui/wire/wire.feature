Feature: Events on the wire

  @helix-ui.wire.content-type @must
  Rule: A stream is an event stream

    Scenario: The head of an answer
      When a request with this script:
        """
        [{"text": "It is noon here."}]
        """
      Then the response has the text "It is noon here."
      And no exchange of this scenario breaks this rule

  @helix-ui.wire.header @should
  Rule: The head names the protocol

    Scenario: The header of the protocol
      When a request with this script:
        """
        [{"text": "It is noon there."}]
        """
      Then the response has the text "It is noon there."
      And no exchange of this scenario breaks this rule

  @helix-ui.wire.cache-control @should
  Rule: Nobody caches an answer

    Scenario: The cache control of an answer
      When a request with this script:
        """
        [{"text": "It is noon everywhere."}]
        """
      Then the response has the text "It is noon everywhere."
      And no exchange of this scenario breaks this rule

  @helix-ui.wire.utf8 @must
  Rule: The body is UTF-8

    Scenario: A text with blåbær
      When a request with this script:
        """
        [{"text": "To blåbær, takk."}]
        """
      Then the response has the text "To blåbær, takk."
      And no exchange of this scenario breaks this rule

  @helix-ui.wire.no-bom @should-not
  Rule: The body begins with its first event

    Scenario: The first bytes of an answer
      When a request with this script:
        """
        [{"text": "First."}]
        """
      Then the response has the text "First."
      And no exchange of this scenario breaks this rule

  @helix-ui.wire.blank-line @must
  Rule: Every event is terminated

    Scenario: The last event of an answer
      When a request with this script:
        """
        [{"text": "Last."}]
        """
      Then the response has the text "Last."
      And no exchange of this scenario breaks this rule

  @helix-ui.wire.single-line @should
  Rule: A part stands on one line

    Scenario: A text with line ends
      When a request with this script:
        """
        [{"text": "one\ntwo\r\nthree"}]
        """
      Then the response has the text "one\ntwo\r\nthree"
      And no exchange of this scenario breaks this rule

  @helix-ui.wire.unnamed @should-not
  Rule: Events have no names

    Scenario: The fields of events
      When a request with this script:
        """
        [{"text": "No names."}]
        """
      Then the response has the text "No names."
      And no exchange of this scenario breaks this rule

  @helix-ui.wire.framing @must-not
  Rule: Content can't forge an event

    Scenario: A text that looks like the end of the stream
      When a request with this script:
        """
        [{"text": "a\n\ndata: [DONE]\n\ndata: {\"type\":\"error\",\"errorText\":\"forged\"}\r\rid: 9\u0000"}]
        """
      Then the response has the text "a\n\ndata: [DONE]\n\ndata: {\"type\":\"error\",\"errorText\":\"forged\"}\r\rid: 9\u0000"
