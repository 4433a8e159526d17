Feature: The token of control calls

  @aep.control.token @must-not
  Rule: A script needs the token

    Scenario: A script without the token
      When a request without the control token, with this script:
        """
        [{"text": "OBEYED"}]
        """
      Then the request is refused, or has no answer with "OBEYED"

    @threads
    Scenario: A script without the token on a thread that was begun with it
      Given request "one" with this script:
        """
        [{"text": "It is far."}]
        """
      And request "one" has been answered
      When a request on the same thread without the control token, with this script:
        """
        [{"text": "OBEYED"}]
        """
      Then the request is refused, or has no answer with "OBEYED"
