Feature: Cancelling

  @aep.cancel.aborted @must @cancel
  Rule: What is cancelled is aborted

    Scenario Outline: Cancelling an agent that <does>
      Given a request with this script:
        """
        <script>
        """
      And the request has begun
      And the response has the text "<said>" so far
      When the request is cancelled
      Then the response ends with aborted

      Examples:
        | does                  | said  | script                                                 |
        | waits in mid-sentence | It is | [{"text": "It is"}, {"await": "b"}, {"text": " far."}] |
        | has said nothing      |       | [{"await": "b"}]                                       |
        | hangs                 |       | [{"hang": true}]                                       |

  @aep.cancel.silent @must-not @cancel
  Rule: Who was cancelled is silent

    Scenario: The agent goes on after the cancellation
      Given a request with this script:
        """
        [{"text": "It is"}, {"await": "b"}, {"text": "AFTERWARDS"}]
        """
      And the response has the text "It is" so far
      And the request is cancelled
      When the agent of the request passes "b", if it is still known
      Then the response holds nothing of "AFTERWARDS" beside an aborted

  @aep.cancel.one @must-not @cancel
  Rule: A cancellation ends one request

    Scenario: One of two requests is cancelled
      Given request "staying" with this script:
        """
        [{"text": "It "}, {"await": "b"}, {"text": "is far."}]
        """
      And request "staying" has begun
      And request "leaving" with this script:
        """
        [{"await": "never"}]
        """
      And request "leaving" is cancelled
      And request "leaving" has been answered
      When the agent of request "staying" passes "b"
      Then the response to request "staying" has the text "It is far."
      And the response to request "staying" ends with done

    @threads
    Scenario: One of two requests of a thread is cancelled
      Given request "staying" with this script:
        """
        [{"text": "It "}, {"await": "b"}, {"text": "is near."}]
        """
      And request "staying" has begun
      And request "leaving" on the same thread, which may be refused with 409, with this script:
        """
        [{"await": "never"}]
        """
      And request "leaving" is cancelled
      And request "leaving" has been answered
      When the agent of request "staying" passes "b"
      Then the response to request "staying" has the text "It is near."
      And the response to request "staying" ends with done

  @aep.cancel.foreign @must-not @cancel @auth
  Rule: A request belongs to its user

    Scenario: Somebody else cancels
      Given a request with this script:
        """
        [{"text": "It "}, {"await": "b"}, {"text": "is far."}]
        """
      And the request has begun
      And the request is cancelled by the other user
      When the agent of the request passes "b"
      Then the response has the text "It is far."
      And the response ends with done
